#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Links of the pages lead somewhere, and the navigation of the site has every page once. usage: check.sh [ROOT]
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/../..}" || exit 3
failed=0
top=$(ls CHANGELOG.md CONTRIBUTING.md SECURITY.md 2>/dev/null)
LC_ALL=C awk -f "$here/links.awk" README.md $top docs/*.md docs/blocks/*.md || failed=1
for page in $top docs/*.md docs/blocks/*.md; do
  times=$(grep -cx -e "${page%.md}" docs/site/contents.md)
  [ "$times" -eq 1 ] || { echo "$page is $times times in docs/site/contents.md"; failed=1; }
done
for page in $(grep -e '^docs/' -e '^[A-Z]' docs/site/contents.md); do
  [ -e "$page.md" ] || { echo "docs/site/contents.md: no page $page.md"; failed=1; }
done
exit $failed
