# The functions of a program that a ladder needs, as they stand in this folder: of what `nvcc -ptx` writes, without comments
# and blank lines, and with parameters by their numbers alone. make.sh runs it.
function wanted(name,   i) {
  for (i = 1; i <= count; ++i)
    if (index(name, list[i])) return 1
  return 0
}
BEGIN { count = split(names, list, " "); print "// compiler: " compiler }
/^\.target/ { print }
{ sub(/\/\/.*/, ""); gsub(/^[ \t]+|[ \t]+$/, ""); gsub(/[ \t]+/, " ") }
/^(\.visible )?(\.weak )?\.entry / {
  name = $0; sub(/.*\.entry /, "", name); sub(/\(.*/, "", name)
  printing = wanted(name)
  if (printing) { sub(/.*\.entry /, ".entry "); print; next }
}
/^(\.visible |\.weak |\.extern )*\.func / { printing = 0 }
!printing || !length { next }
{ gsub(name "_param_", "param_"); print }
/^}$/ && --depth == 0 { printing = 0 }
/^{$/ { ++depth }
