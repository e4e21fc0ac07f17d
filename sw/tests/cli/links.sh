#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links of the pages, the navigation of the site and the tables of docs/limits.md, as TAP; and that the check finds what is broken. Needs neither network nor Python.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }

[ "$(wc -l < "$root/README.md")" -le 120 ]; say $? 'the README has at most 120 lines'
# Lines that nobody reads to their end. docs/shapes.md has a column for each shape.
long() { awk 'length($0) > 300 { print "# " FILENAME ":" FNR ": " length($0) " characters"; bad = 1 } END { exit bad }' "$@"; }
(cd "$root" && long README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md $(ls docs/*.md docs/blocks/*.md | grep -v '/shapes.md')) > "$dir/out"
say $? 'no line of a page has more than 300 characters'; cat "$dir/out"
printf '%0301d\n' 0 > "$dir/long.md"; ! long "$dir/long.md" > "$dir/out"; say $? 'a line that is longer is noticed'
sh "$root/docs/site/check.sh" > "$dir/out"; good=$?
sed 's/^/# /' "$dir/out"
[ $good -eq 0 ] && [ "$(sed -n 's/ links$//p' "$dir/out")" -gt 200 ]; say $? 'every link of the pages leads somewhere, and every page is in the navigation'

# docs/limits.md says what shapes and compiler have, and the check finds a number that is wrong.
limits() { awk -v root="$root" -f "$here/limits.awk" "$1"; }
limits "$root/docs/limits.md"; say $? 'docs/limits.md agrees with shapes and sources'
sed '/`StateEntries`/s/| 8192 |/| 8191 |/' "$root/docs/limits.md" > "$dir/limits.md"
limits "$dir/limits.md" > "$dir/out"; [ $? -eq 1 ] && grep -q 'StateEntries of k4 is 8192' "$dir/out"; say $? 'a wrong value of a shape'
sed '/MAX_STATES/s/32/33/' "$root/docs/limits.md" > "$dir/limits.md"
limits "$dir/limits.md" > "$dir/out"; [ $? -eq 1 ] && grep -q 'MAX_STATES is 32' "$dir/out"; say $? 'a wrong bound of the compiler'

# A small tree that is right, and what is found when one thing in it is wrong.
mkdir -p "$dir/tree/docs/blocks" "$dir/tree/docs/site"
fresh() {
  printf '# R\n[a](docs/a.md#one-more-_and_-other-1) [w](https://nowhere.invalid/x) `[no](link)`\n```\n[no](link)\n```\n' > "$dir/tree/README.md"
  printf '# C\n' > "$dir/tree/CHANGELOG.md"
  printf '# A\n## One more `_and_` (other)\n## One more _and_ other\n[here](#a) [b](blocks/b.md)\n```\n# not this\n```\n' > "$dir/tree/docs/a.md"
  printf '# B\n[up](../a.md) [read](../../README.md#r)\n' > "$dir/tree/docs/blocks/b.md"
  printf "docs/a\ndocs/blocks/b\nCHANGELOG\n" > "$dir/tree/docs/site/contents.md"
}
check() { sh "$root/docs/site/check.sh" "$dir/tree" > "$dir/out" 2>&1; }
fresh; check; say $? 'a small tree without a fault'
# wrong SENTENCE MESSAGE: the tree has been changed, the check says so.
wrong() { check; [ $? -eq 1 ] && grep -q -e "$2" "$dir/out"; say $? "$1"; fresh; }
echo '[x](docs/none.md)' >> "$dir/tree/README.md"; wrong 'a file that is not there' "^README.md:6: no file 'docs/none.md'"
echo '[x](../b.md)' >> "$dir/tree/docs/blocks/b.md"; wrong 'a file in another folder' "^docs/blocks/b.md:3: no file '../b.md'"
echo '[x](blocks)' >> "$dir/tree/docs/a.md"; wrong 'a folder, which the site has not' "^docs/a.md:8: no file 'blocks'"
echo '[x](#beta)' >> "$dir/tree/docs/a.md"; wrong 'a heading that the page has not' '^docs/a.md:8: no heading #beta'
echo '[x](../a.md#not-this)' >> "$dir/tree/docs/blocks/b.md"; wrong 'a heading that is text between fences' '^docs/blocks/b.md:3: no heading #not-this'
sed -i 3d "$dir/tree/docs/a.md"; wrong 'the second heading of a name is gone' '^README.md:2: no heading #one-more-_and_-other-1'
echo '# D' > "$dir/tree/docs/d.md"; wrong 'a page that is not in the navigation' '^docs/d.md is 0 times'
rm "$dir/tree/docs/blocks/b.md"; echo '# E' > "$dir/tree/docs/blocks/e.md"; wrong 'a page in the navigation that is not there' 'no page docs/blocks/b.md'
echo "1..$n"
[ $failed -eq 0 ]
