# SPDX-License-Identifier: Apache-2.0
# What tb/mutants/schema.awk made, read back: with each number in turn, its text must be the source with that one line changed, but for blanks,
# comments, and the parentheses that were added.
# usage: perl awake.pl DRAWN SOURCE SCHEMA [LEFT]    prints how many were compared, and `differs NUMBER`; exit code 1 if any differs
use strict; use warnings;
my ($drawn, $source, $schema, $left) = @ARGV;
sub text { open(my $f, '<', shift) or die; local $/; my $t = <$f>; $t }
my %left = map { $_ => 1 } $left && -e $left ? split ' ', text($left) : ();
my @lines = split /\n/, text($source), -1;
my $made = text($schema);
sub bare { my $t = shift; $t =~ s{//[^\n]*}{}g; $t =~ s/\s+//g; $t }
my ($compared, $bad) = (0, 0);
my $inside = qr/(\((?:[^()]++|(?-1))*+\))/;
for (split /\n/, text($drawn)) {
  my ($number, $file, $line, $kind, $mutant) = split /\t/, $_, 5;
  next if $file ne $source || $left{$number};
  my @changed = @lines; $changed[$line - 1] = $mutant;
  my $t = $made;
  $t =~ s/begin if \(sluice_mutant_pkg::number != (\d+)\) ([^;]*;) end/$1 == $number ? ';' : $2/ge;
  $t =~ s{\(((?:sluice_mutant_pkg::number == \d+ \? \((?:[^()]++|$inside)*+\) : )+)\(((?:[^()]++|$inside)*+)\)\)}{
    my ($cases, $original) = ($1, $3);
    $cases =~ /number == $number \? \(((?:[^()]++|$inside)*+)\) : / ? $1 : $original }ge;
  $compared++;
  next if bare($t) eq bare(join "\n", @changed);
  print "differs $number\n"; $bad++;
}
print "$compared compared\n";
exit($bad > 0);
