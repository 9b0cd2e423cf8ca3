#!/bin/sh
# A Slurm job: a server on the first node, workers on all of them, and one check. What follows the name of the script are the words of `lazuli`:
#
#     sbatch --nodes 16 --exclusive deploy/slurm.sh check -cp classes acme.Tree.insert --engine sat --scope 12 --time 2h
#
# `lazuli` and `redis-server` must be on the PATH of all nodes, and the network between them must be one that you trust.
set -eu

port=${LAZULI_PORT:-6379}
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
data=$(mktemp -d)
secret=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
cluster="redis://:$secret@$head:$port"

# The password is in a file, so that it is not in the list of processes of the server.
umask 077
printf 'port %s\nrequirepass %s\nappendonly yes\ndir %s\nprotected-mode yes\n' "$port" "$secret" "$data" > "$data/redis.conf"
redis-server "$data/redis.conf" > "$data/redis.log" &
server=$!
workers=
trap 'kill $workers $server 2>/dev/null || true; wait || true; rm -rf "$data"' EXIT INT TERM
sleep 1

# One process on each node, with a solver for each core. It goes when nothing was to do for ten minutes.
srun --overlap --ntasks-per-node 1 lazuli worker --cluster "$cluster" --insecure --idle 10m &
workers=$!

lazuli "$@" --cluster "$cluster" --insecure
