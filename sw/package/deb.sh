#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Packs what `make install` installs. usage: VERSION=0.1.0 SOVERSION=0 MAINTAINER="NAME <ADDRESS>" deb.sh FOLDER
# The same tree gives the same bytes: times are those of the last commit, or $SOURCE_DATE_EPOCH.
set -eu
folder=$1 root=$1/root
architecture=$(dpkg-architecture -q DEB_HOST_ARCH)
libdir=/usr/lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || stat -c %Y CHANGELOG.md)}
export SOURCE_DATE_EPOCH
rm -rf "$root" "$folder/debian"
mkdir -p "$root/DEBIAN" "$folder/debian"
make -s --no-print-directory install DESTDIR="$root" PREFIX=/usr LIBDIR="$libdir" > "$folder/install.log"

# Binaries without debugging symbols, the library without those that it does not export either.
strip --remove-section=.comment --remove-section=.note "$root/usr/bin/sluice"
strip --remove-section=.comment --remove-section=.note --strip-unneeded "$root$libdir/libsluice.so.$VERSION"
strip --strip-debug --enable-deterministic-archives "$root$libdir/libsluice.a"
sims= binaries="$root/usr/bin/sluice $root$libdir/libsluice.so.$VERSION"
for sim in "$root"/usr/lib/sluice/*/sim; do
  [ -e "$sim" ] || continue
  strip --remove-section=.comment --remove-section=.note "$sim"
  chip=${sim%/sim}; sims="$sims ${chip##*/}" binaries="$binaries $sim"
done

# What Debian wants in share/doc.
doc=$root/usr/share/doc/sluice
mv "$doc/CHANGELOG.md" "$doc/changelog"
rm "$doc/LICENSE"
cat > "$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Sluice

Files: *
Copyright: the authors of Sluice
License: Apache-2.0
 On Debian systems the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
END
cat > "$doc/changelog.Debian" <<END
sluice ($VERSION-1) unstable; urgency=medium

  * Version $VERSION; the changes are in changelog.gz.

 -- $MAINTAINER  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
END
gzip -9n "$doc/changelog" "$doc/changelog.Debian" "$root"/usr/share/man/man*/*
mkdir -p "$root/usr/share/lintian/overrides"
cat > "$root/usr/share/lintian/overrides/sluice" <<END
# One package has command, library and headers: nobody else links the library yet.
sluice: package-name-doesnt-match-sonames *
sluice: link-to-shared-library-in-wrong-package *
END

# Dependencies: the libraries that the binaries are linked with, in the versions that have what they use.
printf 'Source: sluice\n\nPackage: sluice\nArchitecture: any\nDescription: x\n' > "$folder/debian/control"
depends=$(cd "$folder" && dpkg-shlibdeps -O $(for b in $binaries; do printf ' -e%s' "${b#"$folder"/}"; done) 2> shlibdeps.log) || { cat "$folder/shlibdeps.log"; exit 1; }
depends=${depends#shlibs:Depends=}
if [ -n "$sims" ]; then
  has=$(echo "Simulated chips in it:$sims. Those of other shapes are built from the source." | fold -s -w 76 | sed 's/^/ /; s/ *$//')
else
  has=" It has no simulated chip: the reference model takes its place (model:tiny)."
fi
cat > "$root/DEBIAN/control" <<END
Package: sluice
Version: $VERSION-1
Architecture: $architecture
Maintainer: $MAINTAINER
Installed-Size: $(du -sk --apparent-size --exclude DEBIAN "$root" | cut -f 1)
Depends: $depends
Suggests: gcc, gnuplot-nox, libjansson-dev, pkg-config
Section: electronics
Priority: optional
Description: programmable packet switch with several pipelines
 Sluice is a synthesizable packet switch that runs programs in the language
 Domino at line rate. This package has the command (compiler, reference model,
 switch with Linux interfaces as ports, tests of chips), the driver library
 with its headers, manual pages, completion for bash, and example programs.
 .
$has
END
echo "libsluice $SOVERSION sluice (>= $VERSION)" > "$root/DEBIAN/shlibs"
echo "activate-noawait ldconfig" > "$root/DEBIAN/triggers"
find "$root" -type d -exec chmod 755 {} +
(cd "$root" && find usr -type f | LC_ALL=C sort | xargs md5sum > DEBIAN/md5sums)
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
rm -f "$folder"/sluice_*.deb
package=$folder/sluice_$VERSION-1_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" > "$folder/build.log"
echo "$package"
