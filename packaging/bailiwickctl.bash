# bailiwickctl takes the arguments of bailiwick.
. /usr/share/bash-completion/completions/bailiwick
complete -F _bailiwick -o bashdefault -o default bailiwickctl
