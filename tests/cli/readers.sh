#!/usr/bin/env bash
# What others read reads what the program writes: python3 its CSV and JSON, pandas the CSV, LaTeX its tables.
# Readers that are not here are left out; without python3 the test is skipped (exit 77).
# Usage: readers.sh PROGRAM
set -euo pipefail
program=$1
command -v python3 >/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cat >"$scratch/read.py" <<'PYTHON'
import csv, json, math, sys

try:
    import pandas
except ImportError:
    pandas = None

folder, tables = sys.argv[1], 0
with open(folder + "/all.json", encoding="utf-8") as file:
    answer = json.load(file)
for number, table in enumerate(answer["tables"], 1):
    name = f"{folder}/{number}.csv"
    with open(name, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, strict=True)
    units = [c["unit"] if c["unit"] != "fraction" else "" for c in table["columns"]]
    expected = [c["name"] + (f" [{u}]" if u else "") for c, u in zip(table["columns"], units)]
    assert header == expected, (name, header, expected)
    assert all(len(row) == len(header) for row in rows), name
    for place, column in enumerate(table["columns"]):
        cells = [row[place] for row in rows]
        assert len(cells) == len(column["values"]), (name, column["name"])
        for cell, value in zip(cells, column["values"]):
            if isinstance(value, str):
                assert cell == value, (name, column["name"], cell, value)
            else:  # of a number that there is not: an empty cell, null
                assert (cell == "") if value is None else (float(cell) == value), (name, cell, value)
    if pandas is not None:
        frame = pandas.read_csv(name)
        assert list(frame.columns) == header and len(frame) == len(rows), name
        for column, title in zip(table["columns"], header):
            if column["values"] and not any(isinstance(v, str) for v in column["values"]):
                assert frame[title].dtype.kind in "if", (name, title, frame[title].dtype)
    tables += 1
assert tables > 0
PYTHON

read_back() { # question...
  rm -rf "$scratch/answer"
  mkdir "$scratch/answer"
  "$program" "$@" --format json >"$scratch/answer/all.json" 2>/dev/null || [[ $? == 1 ]]
  local tables number
  tables=$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["tables"]))' "$scratch/answer/all.json")
  for ((number = 1; number <= tables; ++number)); do
    "$program" "$@" --table "$number" -o "$scratch/answer/$number.csv" 2>/dev/null || [[ $? == 1 ]]
  done
  python3 "$scratch/read.py" "$scratch/answer" || { echo "of: perfmodel $*"; exit 1; }
  "$program" "$@" --format latex 2>/dev/null >>"$scratch/tables.tex" || [[ $? == 1 ]]
}

read_back roofline --hw m2090,h200
# shellcheck disable=SC2016 # signs of LaTeX
read_back roofline --hw m2090 --intensity 1,2 --kernel 'a,b;c "d" 100% $x_1 {e} [f] *g* \h # & ~ ^ <i> |j| `k` --l '"'m'"
read_back littles-law --hw m2090,gtx280
read_back segment-rate --hw gtx280 --segment '32:256:*2'
read_back coalescing --hw 8800gtx,m2090 --offset 0,1
read_back validate --hw gtx480
read_back rank --flops 1Tflop --bytes 1GB --hw 'cc>=9'
read_back hw list
read_back hw show m2090
read_back hw diff m2090 h200
read_back hw costs h200
for wide in 'kernel vector-copy --hw h200' 'transpose --hw h200 --n 1024' 'memory-parallelism --hw m2090 --bands' \
  'coalescing --hw h200,m2090 --stride 1,2,8,32' 'node --from mem1 --to gpu1' 'energy --hw h200 --intensity 1,16 --cap 300W' \
  'matmul --hw gtx280 --n 256 --show choices' 'kernel vector-copy --hw h200 --view timeline' 'occupancy --hw h200 --threads 8:1024:8'; do
  # shellcheck disable=SC2086 # words
  "$program" $wide --format latex 2>/dev/null >>"$scratch/tables.tex" || [[ $? == 1 ]]
done

command -v pdflatex >/dev/null || exit 0
{
  printf '%s\n' '\documentclass{article}' '\usepackage{booktabs,longtable}' '\extrafloats{200}' '\begin{document}'
  # A page for each, however wide: what is read is the text, not the layout.
  sed 's/^\\end{table}/&\\clearpage/' "$scratch/tables.tex"
  printf '%s\n' '\end{document}'
} >"$scratch/paper.tex"
pdflatex -draftmode -interaction nonstopmode -halt-on-error -output-directory "$scratch" "$scratch/paper.tex" >"$scratch/log" 2>&1 ||
  { grep -A4 '^!' "$scratch/log"; exit 1; }
if grep 'Missing character' "$scratch/log"; then exit 1; fi

# No table is wider than the text, but for a letter.
python3 - "$scratch/tables.tex" >"$scratch/fit.tex" <<'PYTHON'
import re, sys
print('\\documentclass{article}\\usepackage{booktabs,longtable}\\extrafloats{200}\\begin{document}')
for table in re.findall(r'\\begin{table}.*?\\end{table}|\\begingroup.*?\\endgroup', open(sys.argv[1]).read(), re.S):
    print(table + '\\clearpage')
print('\\end{document}')
PYTHON
pdflatex -draftmode -interaction nonstopmode -output-directory "$scratch" "$scratch/fit.tex" >"$scratch/log" 2>&1
! grep -E 'Overfull .hbox .([7-9]|[0-9]{2,})(\.[0-9]+)?pt too wide' "$scratch/log"
