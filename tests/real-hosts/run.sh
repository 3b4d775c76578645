#!/bin/sh
# Real hosts against a stand-in model, without network: a closed gate denies, a recorded decision lets pass, a path outside
# stays denied, and the host's events become facts. Not part of ./check.
#
#   tests/real-hosts/run.sh BIN [LOOPX]    BIN: the folder with claude, codex and opencode, such as node_modules/.bin of
#                                          npm install @anthropic-ai/claude-code@2.1.197 @openai/codex@0.171.0 opencode-ai@1.18.33
#                                          LOOPX: the program to test (default: loopx on the PATH)
#
# A host that is not installed is skipped with a line that says so. Needs sh, git, python3, unshare, ip.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ "${1:-}" = inside ]; then
  # One run of one host in a network of its own.
  host=$2 binary=$3 work=$4 out=$5 tool=$6 arguments=$7
  ip link set lo up
  python3 "$here/model.py" "$out/asked" "$tool" "$arguments" "switch-2f8q|loopx data|outside the write scope" > "$out/port" &
  model=$!
  trap 'kill $model 2>/dev/null || :' EXIT
  until [ -s "$out/port" ]; do sleep 0.1; done
  base=http://127.0.0.1:$(head -n 1 "$out/port")
  cd "$work"
  case $host in
    claude_code)
      export ANTHROPIC_BASE_URL="$base" ANTHROPIC_API_KEY=none CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1
      timeout 60 "$binary" -p "go on" --allowedTools Bash Write Edit ;;
    codex_cli)
      mkdir -p "$HOME/.codex"
      printf 'model = "stand-in"\nmodel_provider = "own"\nsandbox_mode = "danger-full-access"\n[model_providers.own]\nname = "own"\nbase_url = "%s/v1"\nenv_key = "OWN_KEY"\nwire_api = "responses"\n[projects."%s"]\ntrust_level = "trusted"\n' "$base" "$work" > "$HOME/.codex/config.toml"
      export OWN_KEY=none
      timeout 60 "$binary" exec --dangerously-bypass-hook-trust "go on" ;;
    opencode)
      echo fetch-retries=0 > "$HOME/.npmrc"
      printf '{"model":"own/own","autoupdate":false,"share":"disabled","enabled_providers":["own"],"provider":{"own":{"npm":"@ai-sdk/openai-compatible","name":"own","options":{"baseURL":"%s/v1","apiKey":"none"},"models":{"own":{"name":"own","tool_call":true,"limit":{"context":100000,"output":1000}}}}}}' "$base" > opencode.json
      export OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1
      timeout 120 "$binary" run "go on" ;;
  esac < /dev/null > "$out/said" 2>&1 || { echo "not ok: $host failed: $(tail -n 3 "$out/said")"; exit 1; }
  sleep 1
  exit 0
fi

bin=$(cd "${1:?the folder with the hosts}" && pwd)
loopx=$(command -v "${2:-loopx}")
top=$(mktemp -d)
mkdir -p "$top/path"
ln -s "$(cd "$(dirname "$loopx")" && pwd)/$(basename "$loopx")" "$top/path/loopx"
failed=0

# team FOLDER HOST: a repository whose gate is closed, connected to the host.
team() {
  mkdir -p "$1/goals/ledger/todos" "$1/goals/ledger/gates"
  cd "$1"
  git init -q -b main .
  git config user.name Maya && git config user.email maya@users.noreply.example
  printf '/facts/\n/projections/\n/attention.*\n' > .gitignore
  printf 'schema_version: loopx_workspace_v0\nauthority: { ref: main }\nrotation: after_end\n' > loopx.yaml
  printf 'schema_version: loopx_goal_v0\ngoal_id: ledger\nobjective: Serve reads from the new store\nowner: maya\nagents: { codex-main: writes the switch }\nboundary:\n  write_scope: [services/ledger/**]\n  stop_condition: Stop at the first failed check\n' > goals/ledger/goal.yaml
  printf 'schema_version: loopx_todo_v0\ngoal_id: ledger\ntodo_id: switch-9d4m\ntitle: Switch the read flag\ntask_class: advancement_task\nassignee: codex-main\n' > goals/ledger/todos/switch-9d4m.yaml
  printf 'schema_version: operator_gate_v0\ngoal_id: ledger\ngate_id: switch-2f8q\nquestion: May codex-main switch the flag?\nrequired_actor: owner\nblocks: [switch-9d4m]\nrequested: { by: codex-main, at: 2026-03-05T09:10:00Z }\n' > goals/ledger/gates/switch-2f8q.yaml
  loopx actor add maya --class owner --email maya@users.noreply.example --execute --quiet > /dev/null
  git add . && git commit -qm ask
  loopx connect "$2" --agent codex-main --goal ledger --execute > /dev/null
  git add . && git commit -qm connect
}

# try HOST BINARY TEAM NAME PATH WANTED: one run; WANTED: written or denied.
try() {
  out=$3-$4 work=$3-$4/work
  mkdir -p "$out/home" && cp -R "$3" "$work"
  case $1 in
    claude_code) tool=Write arguments="{\"file_path\":\"$work/$5\",\"content\":\"x\"}" ;;
    codex_cli) tool=exec_command arguments="{\"cmd\":\"apply_patch <<'EOF'\\n*** Begin Patch\\n*** Add File: $5\\n+x\\n*** End Patch\\nEOF\\n\"}" ;;
    opencode) tool=write arguments="{\"filePath\":\"$work/$5\",\"content\":\"x\"}" ;;
  esac
  room="unshare -rn"
  [ "$(id -u)" -ne 0 ] || room="unshare -n"
  $room env -i PATH="$PATH" HOME="$out/home" sh "$here/run.sh" inside "$1" "$2" "$work" "$out" "$tool" "$arguments" || failed=1
  came=denied
  [ ! -e "$work/$5" ] || came=written
  told=no
  ! grep -q loopx_data "$out/asked" || told=yes
  facts=$(cat "$work"/.git/loopx/facts/*/*/*.yaml 2> /dev/null | sed -n 's/^status: //p')
  if [ "$came" = "$6" ] && [ "$told" = yes ] && { [ "$facts" = idle ] || [ "$facts" = stopped ]; }; then
    echo "ok: $1, $4: $came, the first screen reached the model, facts say $facts"
  else
    echo "not ok: $1, $4: $came instead of $6, first screen told: $told, facts say '$facts'; see $out"
    failed=1
  fi
}

PATH=$top/path:$PATH
for pair in claude_code:claude codex_cli:codex opencode:opencode; do
  host=${pair%%:*} binary=$bin/${pair##*:}
  if [ ! -x "$binary" ]; then
    echo "SKIPPED: $host is not installed in $1"
    continue
  fi
  team "$top/$host" "$host"
  try "$host" "$binary" "$top/$host" closed services/ledger/a.rs denied
  cd "$top/$host"
  loopx gate decide switch-2f8q approve --reason "two days of reads agree" --by maya --execute --quiet > /dev/null
  git add . && git commit -qm approve
  try "$host" "$binary" "$top/$host" approved services/ledger/a.rs written
  try "$host" "$binary" "$top/$host" outside docs/x.md denied
done
exit $failed
