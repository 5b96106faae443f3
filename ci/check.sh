#!/usr/bin/env bash
# Runs the checks of Lectern on project folders, and fails at the end if one of them failed.
# Settings are environment variables, so that values of a workflow are never part of a command.
set -u

lectern=${LECTERN:-lectern}
format=${FORMAT:-}
checks=${CHECKS:-}
failed=0

# Without a list, a check runs where it applies.
applies() {
  if [ -n "$checks" ]; then
    case " ${checks//[$'\n,']/ } " in *" $1 "*) return 0 ;; *) return 1 ;; esac
  fi
  case $1 in
    validate | scan) return 0 ;;
    verify) [ -f "$2/lectern.lock.json" ] ;;
    sync) grep -qs 'lectern:start' "$2/AGENTS.md" "$2/CLAUDE.md" "$2/GEMINI.md" ;;
    try) [ -f "$2/skills.requests.yaml" ] ;;
  esac
}

run() {
  echo "lectern $*"
  "$lectern" "$@" || failed=1
}

report() { # <name> <folder> <arguments…>: the findings as annotations, and as SARIF if asked for
  local name=$1 folder=$2
  shift 2
  run "$@" ${format:+--format "$format"}
  if [ -n "${SARIF:-}" ]; then
    mkdir -p "$SARIF"
    [ "$folder" = . ] || name="$name-${folder//[^A-Za-z0-9]/-}"
    "$lectern" "$@" --sarif >"$SARIF/lectern-$name.sarif" || true
  fi
}

check() {
  local at=(--project-dir "$1") agents=()
  local strict=()
  [ "${STRICT:-false}" = true ] && strict=(--strict)
  for agent in ${AGENTS:-}; do agents+=(--agent "$agent"); done
  if applies validate "$1"; then
    report validate "$1" validate --all --profile "${PROFILE:-spec}" ${strict[@]+"${strict[@]}"} "${at[@]}"
  fi
  if applies scan "$1"; then report scan "$1" scan --fail-on "${FAIL_ON:-high}" "${at[@]}"; fi
  if applies verify "$1"; then run verify --frozen "${at[@]}"; fi
  if applies sync "$1"; then run sync --check "${at[@]}"; fi
  if applies try "$1"; then
    run try --check ${agents[@]+"${agents[@]}"} ${format:+--format "$format"} "${at[@]}"
  fi
}

while IFS= read -r folder; do
  [ -n "$folder" ] && check "$folder"
done <<<"${PATHS:-.}"
exit "$failed"
