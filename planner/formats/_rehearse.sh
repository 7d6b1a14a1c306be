#!/bin/sh
# Rehearse the plan: simulate its fabric, let OpenSM bring it up, read the fabric back and compare.
#   sh rehearse.sh          forwarding tables of the plan (routes.lft)
#   sh rehearse.sh ENGINE   those of an engine of OpenSM: minhop, updn, ftree, dfsssp, lash, nue
# Needs ibsim, OpenSM and infiniband-diags (Debian: ibsim-utils opensm infiniband-diags); no devices, no network, no root.
# Exit code 0: links, and forwarding tables where they are the plan's, are as planned, and the log of OpenSM has no error.
set -eu
cd "$(dirname "$0")"
mkdir -p rehearsal
simulator=
for each in /usr/lib/*/umad2sim/libumad2sim.so /usr/lib64/umad2sim/libumad2sim.so; do
    if [ -e "$each" ]; then simulator=$each; fi
done
[ -n "$simulator" ] || { echo "libumad2sim.so is missing: install ibsim" >&2; exit 2; }
export IBSIM_SOCKNAME="plan$$" OSM_TMP_DIR="$PWD/rehearsal" OSM_CACHE_DIR="$PWD/rehearsal"

: >rehearsal/ibsim.log
ibsim -s -n $(cat limits) fabric.net >rehearsal/ibsim.log 2>&1 &
simulation=$!
trap 'kill $simulation 2>/dev/null || true' EXIT
until grep -q "simulator ready" rehearsal/ibsim.log; do
    kill -0 $simulation || { cat rehearsal/ibsim.log >&2; exit 2; }
    sleep 0.05
done

if [ $# -eq 0 ]; then
    set -- -R file,no_fallback -U "$PWD/routes.lft"
    planned=yes
else
    roots=
    if [ -s root_guids ]; then roots="-a root_guids"; fi
    set -- -Q -R "$1,no_fallback" $roots -u cn_guids
    planned=
fi
on() { LD_PRELOAD=$simulator timeout "${TIMEOUT:-300}" "$@"; }

cd rehearsal
: >discovered.net
: >tables.lft
number=0
while read -r SIM_HOST; do
    export SIM_HOST
    number=$((number + 1))
    (cd .. && on opensm -F /dev/null -e -o -D 0x43 -f "rehearsal/opensm-$number.log" --dump_files_dir rehearsal "$@") \
        >"opensm-$number.out" 2>&1 </dev/null || { echo "OpenSM failed: rehearsal/opensm-$number.log" >&2; exit 1; }
    on ibnetdiscover --node-name-map ../node-name-map </dev/null >>discovered.net 2>>diags.log
    on dump_fts --node-name-map ../node-name-map </dev/null >>tables.lft 2>>diags.log
done <../attach

# A line for each link: the identifiers and ports of both ends.
links() {
    awk -F'"' '
        /^(Switch|Ca)/ { here = $2 }
        /^\[/ {
            split($1, near, /[][]/); split($3, far, /[][]/)
            a = here "[" near[2] "]"; b = $2 "[" far[2] "]"
            if (a < b) print a, b; else print b, a
        }' "$1" | LC_ALL=C sort -u
}
# A line for each entry of a forwarding table: switch, destination, port.
entries() {
    awk '/^Unicast lids/ { match($0, /guid 0x[0-9a-f]+/); here = substr($0, RSTART + 5, RLENGTH - 5) }
        /^0x/ { match($0, /portguid 0x[0-9a-f]+/); print here, substr($0, RSTART + 9, RLENGTH - 9), $2 + 0 }' "$1" | LC_ALL=C sort
}

failed=0
links ../fabric.net >planned-links
links discovered.net >discovered-links
diff planned-links discovered-links >links.diff || failed=1
echo "links: $(wc -l <planned-links) planned, $(wc -l <discovered-links) discovered, $(grep -c '^[<>]' links.diff || true) differ"
if [ -n "$planned" ]; then
    entries ../routes.lft >planned-entries
    entries tables.lft >read-entries
    diff planned-entries read-entries >entries.diff || failed=1
    echo "forwarding tables: $(wc -l <planned-entries) entries planned, $(wc -l <read-entries) read back," \
        "$(grep -c '^[<>]' entries.diff || true) differ"
fi
errors=$(cat opensm-*.log | grep -c " ERR " || true)
[ "$errors" -eq 0 ] || failed=1
echo "OpenSM: $(cat opensm-*.log | grep -c 'SUBNET UP' || true) of $number subnets up, $errors errors in the log"
exit $failed
