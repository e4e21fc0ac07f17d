#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make install`, `make uninstall` and `make deb`, as TAP. usage: package.sh, in the top folder of the tree.
set -u
top=$PWD
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
unset SLUICE_SIM
n=0 failed=0
# say CODE SENTENCE [FILE]: one test; the file, if it failed.
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); [ -z "${3:-}" ] || sed 's/^/# /' "$3"; fi; }
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
files() { (cd "$1" && find . ! -type d | LC_ALL=C sort | sed 's/^\.//'); }
version=$(sed -n 's/^#define SLUICE_VERSION "\(.*\)"/\1/p' sw/include/sluice/version.h)
so=${version%%.*}
# expected PREFIX LIBDIR: the list of what is installed, made from the tree and not from the Makefile.
expected() {
  {
    echo "$1/bin/sluice"
    for f in sw/include/sluice/*.h; do echo "$1/include/sluice/${f##*/}"; done
    for f in libsluice.a "libsluice.so" "libsluice.so.$so" "libsluice.so.$version" pkgconfig/sluice.pc; do echo "$2/$f"; done
    echo "$1/share/man/man1/sluice.1"; echo "$1/share/man/man3/libsluice.3"
    build/sluice help --verbs | sed "s|.*|$1/share/man/man1/sluice-&.1|"
    echo "$1/share/sluice/sluice.lua"
    echo "$1/share/bash-completion/completions/sluice"
    (cd sw/programs && ls ./*.dom menshen/*.dom multiply/*.dom reactions/*.dom tables/*.dom active/*.ap4) | sed "s|^\./||; s|^|$1/share/sluice/|"
    for f in docs/*.md CHANGELOG.md LICENSE; do echo "$1/share/doc/sluice/${f##*/}"; done
    for f in docs/examples/*; do echo "$1/share/doc/sluice/examples/${f##*/}"; done
    for f in docs/pictures/*.svg; do echo "$1/share/doc/sluice/${f#docs/}"; done
    [ ! -e build/tiny/sim ] || echo "$1/lib/sluice/tiny/sim"
  } | LC_ALL=C sort
}

# ---- install ----
root=$dir/root prefix=/opt/sluice
make -s --no-print-directory install DESTDIR="$root" PREFIX=$prefix > "$dir/log" 2>&1; say $? 'make install installs behind DESTDIR' "$dir/log"
expected $prefix $prefix/lib > "$dir/want"; files "$root" > "$dir/got"
diff "$dir/want" "$dir/got" > "$dir/diff"; say $? "the $(wc -l < "$dir/want") files are those that should be installed"; sed 's/^/# /' "$dir/diff"
find "$root" -type f ! -perm 644 | sed "s|^$root||" | LC_ALL=C sort > "$dir/got"
{ echo $prefix/bin/sluice; [ ! -e build/tiny/sim ] || echo $prefix/lib/sluice/tiny/sim; } > "$dir/want"
cmp -s "$dir/want" "$dir/got"; say $? 'programs can be executed, nothing else can'
[ "$(readlink "$root$prefix/lib/libsluice.so")" = "libsluice.so.$so" ] && [ -e "$root$prefix/lib/libsluice.so" ]; say $? 'the links of the library lead to it'
[ "$("$root$prefix/bin/sluice" --version | cut -d , -f 1)" = "sluice $version" ]; say $? 'the installed command says its version'
"$root$prefix/bin/sluice" compile "$root$prefix/share/sluice/sequencer.dom" --chip tiny -o "$dir/image.json" > "$dir/log" 2>&1
say $? 'it compiles an installed program' "$dir/log"
flags=$(PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root pkg-config --cflags --libs sluice) &&
  cc -std=c11 -Wall -Wextra -Werror -o "$dir/watch" "$root$prefix/share/doc/sluice/examples/watch.c" $flags &&
  LD_LIBRARY_PATH=$root$prefix/lib "$dir/watch" model:tiny "$dir/image.json" count > "$dir/log" && grep -q '^20 packets in, 20 admitted, 20 out' "$dir/log"
say $? 'the installed example builds by pkg-config and drives the model'
[ "$(PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig pkg-config --modversion sluice)" = "$version" ] && ! grep -q "$root" "$root$prefix/lib/pkgconfig/sluice.pc"
say $? 'sluice.pc has the version, and not DESTDIR'
mkdir -p "$root/usr/lib"; make -s --no-print-directory install DESTDIR="$root" PREFIX=/usr LIBDIR=/usr/lib/here SIMS= > "$dir/log" 2>&1
expected /usr /usr/lib/here | grep -v '/sim$' > "$dir/want"; files "$root" | grep ^/usr/ > "$dir/got"
diff "$dir/want" "$dir/got" > "$dir/diff"; say $? 'PREFIX, LIBDIR and SIMS are obeyed' "$dir/diff"

# ---- uninstall ----
echo mine > "$root$prefix/share/sluice/mine.dom"; echo theirs > "$root$prefix/bin/other"
make -s --no-print-directory uninstall DESTDIR="$root" PREFIX=$prefix > "$dir/log" 2>&1; say $? 'make uninstall' "$dir/log"
printf '%s\n' $prefix/bin/other $prefix/share/sluice/mine.dom > "$dir/want"; files "$root" | grep ^$prefix/ > "$dir/got"
diff "$dir/want" "$dir/got" > "$dir/diff"; say $? "it removes what is ours, and nobody else's files" "$dir/diff"
[ ! -e "$root$prefix/include/sluice" ] && [ ! -e "$root$prefix/share/doc/sluice" ] && [ -z "$(find "$root$prefix/share/sluice" -mindepth 1 -type d)" ] &&
  [ ! -e "$root$prefix/lib/sluice" ] && [ -d "$root$prefix/share/man/man1" ]; say $? 'our own folders are gone, those of the system stay'
expected /usr /usr/lib/here | grep -v '/sim$' > "$dir/want"; files "$root" | grep ^/usr/ > "$dir/got"
cmp -s "$dir/want" "$dir/got"; say $? 'another installation stays whole'

# ---- the Debian package ----
done_here() { echo "1..$n"; [ $failed -eq 0 ]; exit; }
for tool in dpkg-deb dpkg-shlibdeps dpkg-architecture strip; do
  if ! command -v $tool > "$dir/tool"; then skip 'the Debian package' "no $tool here"; done_here; fi
done
make -s --no-print-directory deb > "$dir/log" 2>&1; say $? 'make deb packs' "$dir/log"
deb=$top/$(tail -n 1 "$dir/log")
[ -s "$deb" ] || { say 1 'there is a package'; done_here; }
field() { dpkg-deb -f "$deb" "$1"; }
[ "$(field Package)" = sluice ] && [ "$(field Version)" = "$version-1" ] && [ "$(field Architecture)" = "$(dpkg --print-architecture)" ]
say $? 'name, version and architecture are right'
field Depends > "$dir/depends"
for library in libc6 libjansson4 libpcap0.8; do grep -q "$library" "$dir/depends" || echo "# $library"; done > "$dir/missing"
[ ! -s "$dir/missing" ]; say $? 'it depends on the libraries that it is linked with' "$dir/depends"
[ "$(field Description | wc -L)" -le 80 ]; say $? 'its description fits'
dpkg-deb -x "$deb" "$dir/x" && (cd "$dir/x" && dpkg-deb --ctrl-tarfile "$deb" | tar -xO ./md5sums | md5sum -c --quiet); say $? 'the sums of its files are right'
lib=/usr/lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH)
{ expected /usr "$lib" | sed 's|/man[13]/.*|&.gz|; s|/CHANGELOG.md$|/changelog.gz|; s|/LICENSE$|/copyright|'
  printf '%s\n' /usr/share/doc/sluice/changelog.Debian.gz /usr/share/lintian/overrides/sluice; } | LC_ALL=C sort > "$dir/want"
files "$dir/x" > "$dir/got"; diff "$dir/want" "$dir/got" > "$dir/diff"; say $? 'it has what install installs' "$dir/diff"
dpkg-deb -c "$deb" | awk '$2 != "root/root" || ($1 !~ /^l/ && $1 !~ /^drwxr-xr-x$|^-rw-r--r--$|^-rwxr-xr-x$/)' > "$dir/bad"; [ ! -s "$dir/bad" ]; say $? 'its files belong to root'
if ! readelf -S "$dir/x/usr/bin/sluice" "$dir/x$lib/libsluice.so.$version" | grep -q debug_info; then say 0 'symbols for debugging are not in it'; else say 1 'symbols for debugging are not in it'; fi
if grep -rqF "$top" "$dir/x"; then say 1 'no path of the tree is in it'; else say 0 'no path of the tree is in it'; fi

# A demo without the tree: packets from a capture through the model, and through the simulator if the package has one.
sluice=$dir/x/usr/bin/sluice programs=$dir/x/usr/share/sluice
mkdir "$dir/demo"; cd "$dir/demo" || exit 3
"$sluice" gen -o in.pcap --packets 500 --size 64 --untagged --seed 3 && "$sluice" compile "$programs/sequencer.dom" --chip tiny -o image.json > log &&
  timeout 120 "$sluice" serve image.json --chip model:tiny --port 0=pcap:in.pcap --port 1=pcap:,out=out.pcap --once > log 2>&1
code=$?
[ $code -eq 0 ] && grep -q '^chip: 500 packets in, 500 copies out' log && [ "$(stat -c %s out.pcap)" -eq "$(stat -c %s in.pcap)" ] && ! cmp -s in.pcap out.pcap
say $? 'the package serves 500 packets on the model, from capture to capture' log
if [ -e "$dir/x/usr/lib/sluice/tiny/sim" ]; then
  timeout 300 "$sluice" run "$programs/sequencer.dom" --chip tiny --packets 200 --dir work > log 2>&1 && grep -q '^EQUIVALENT' log
  say $? 'the simulator of the package runs a program: EQUIVALENT' log
else
  "$sluice" run "$programs/sequencer.dom" --chip tiny > log 2>&1; [ $? -eq 3 ] && grep -q 'cannot find' log; say $? 'without a simulator, run says so'
fi
cd "$top" || exit 3
man=$(command -v man) && "$man" --warnings -l "$dir/x/usr/share/man/man3/libsluice.3.gz" > "$dir/page" 2> "$dir/warnings"
if [ -n "$man" ]; then
  nm -D --defined-only "$dir/x$lib/libsluice.so.$version" | sed 's/.* T //' | while read -r f; do grep -q "$f(" "$dir/page" || echo "# $f"; done > "$dir/missing"
  [ ! -s "$dir/missing" ] && [ ! -s "$dir/warnings" ]; say $? 'libsluice(3) tells of every function' "$dir/missing"
else
  skip 'libsluice(3) tells of every function' 'no man here'
fi

if [ "$(id -u)" -eq 0 ]; then # into a folder, with a database of its own: this machine stays as it is
  mkdir -p "$dir/machine/var/lib/dpkg/info" "$dir/machine/var/lib/dpkg/updates"; : > "$dir/machine/var/lib/dpkg/status"
  dpkg --root="$dir/machine" --force-depends --force-bad-path -i "$deb" > "$dir/log" 2>&1 && [ -x "$dir/machine/usr/bin/sluice" ]
  say $? 'dpkg installs it' "$dir/log"
  dpkg --root="$dir/machine" -P sluice > "$dir/log" 2>&1 && [ ! -e "$dir/machine/usr" ]; say $? 'dpkg removes it whole'
else
  skip 'dpkg installs it' 'only root may'
fi
cp "$deb" "$dir/first.deb"; make -s --no-print-directory deb > "$dir/log" 2>&1 && cmp -s "$deb" "$dir/first.deb"; say $? 'the same tree gives the same package, byte by byte'
if command -v lintian > "$dir/tool"; then
  lintian --fail-on error "$deb" > "$dir/log" 2>&1; say $? 'lintian finds no error' "$dir/log"
else
  skip 'lintian finds no error' 'no lintian here'
fi
done_here
