# The functions of a program that a ladder needs, as they stand in this folder: from what `cuobjdump -elf -sass PROGRAM`
# prints, with a thread's registers, a block's shared memory and the places of the arguments in front of each, and what the
# __constant__ variables of its file hold in front of what reads them first. make.sh runs it:
#   cuobjdump -elf -sass pi.o | awk -v compiler="nvcc 13.0.88 -O3 -arch=sm_90a" \
#     -v names="sum_points sum_blocks" -f functions.awk > pi/9.0.sass
function number(text) {
  text = tolower(text)
  if (text !~ /^0x/) return text + 0
  value = 0
  for (at = 3; at <= length(text); ++at) value = value * 16 + index("0123456789abcdef", substr(text, at, 1)) - 1
  return value
}
function wanted(name,   i) {
  for (i = 1; i <= count; ++i)
    if (index(name, list[i])) return 1
  return 0
}
# "0x3ff00000 .." as bytes, the lowest first.
function bytes(words,   i, n, word, made) {
  n = split(words, word, /[ \t]+/)
  for (i = 1; i <= n; ++i)
    if (word[i] ~ /^0x/)
      made = made substr(word[i], 9, 2) substr(word[i], 7, 2) substr(word[i], 5, 2) substr(word[i], 3, 2)
  return made
}
BEGIN { count = split(names, list, " "); print "// compiler: " compiler }
$NF ~ /^\.nv\.shared\._Z/ && $6 == "NOBITS" { shared[substr($NF, 12)] = number("0x" $3) - 1024 } # what the system keeps is in it
/^\.nv\.info\._Z/ { section = substr($1, 10) }
/^\.nv\.info$/ { section = "" }
/register count:/ { name = $3; sub(/\(.*/, "", name); registers[name] = $NF }
/^64-bit ELF:/ || /^64bit elf:/ { constants = "" } # each file has its own
/^\./ { of_constants = /^\.nv\.constant3[ \t]*$/ }
of_constants && /^0x/ { constants = constants bytes($0) }
/EIATTR_/ { attribute = $0 }
attribute ~ /KPARAM_INFO/ && /Ordinal/ && section {
  ordinal = number($7); place[section, ordinal] = $10; size[section, ordinal] = number($13)
  if (ordinal + 1 > parameters[section]) parameters[section] = ordinal + 1
}
attribute ~ /PARAM_CBANK/ && /Value:/ && section { bank[section] = number($3) }
/Function : / {
  printing = wanted($3)
  padding = ""
  of_constants = 0
  # An array of zeros is one that the program writes before the launch: not known.
  to_say = constants ~ /[^0]/ ? "// constant3: " constants "\n" : ""
  if (!printing) next
  print "\t\tFunction : " $3
  print "// target: " target
  printf "// params: 0x%x %d", bank[$3] % 65536, int(bank[$3] / 65536)
  for (i = 0; i < parameters[$3]; ++i) printf "; %d %s %d", i, place[$3, i], size[$3, i]
  printf "\n// shared: %d\n// registers: %d\n", ($3 in shared) ? shared[$3] : 0, registers[$3]
  next
}
/^arch = sm_/ { target = $3 }
/\.headerflags/ || !printing { next }
/^\t*\.\.\.\.\.*$/ { printing = 0; next }
/\/\*/ {
  gsub(/[ \t]+/, " ")
  sub(/^ /, "")
  if (/^\/\*[0-9a-f]+\*\//) { # an instruction, not the upper half of one
    held = /^\/\*[0-9a-f]+\*\/ NOP ?;/ # what fills up the end of a function is left out
    if (!held) printf "%s", padding
    if (!held) padding = ""
    if (/ c\[0x3\]/) {
      printf "%s", to_say
      to_say = ""
    }
  }
  if (held) padding = padding $0 "\n"; else print
}
