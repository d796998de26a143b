# Installs what PROGRAM says: completion for each shell, and a manual page for itself and for each command. INTO is a
# folder for drafts; DATA, MAN and DOC are where things go.
function(said file)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_FILE ${INTO}/${file} RESULT_VARIABLE failed ERROR_VARIABLE why)
  if(failed)
    message(FATAL_ERROR "${PROGRAM} ${ARGN}: ${why}")
  endif()
endfunction()

# Compressed as Debian wants pages, the same bytes each time; man reads others as well.
find_program(GZIP gzip)
function(install_compressed file into)
  if(GZIP)
    execute_process(COMMAND ${GZIP} -9nf ${INTO}/${file} COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND file .gz)
  endif()
  file(INSTALL ${INTO}/${file} DESTINATION ${into})
endfunction()

# The database is the source tree's, whatever the environment says.
unset(ENV{PERFMODEL_HWDB})
file(REMOVE_RECURSE ${INTO})
file(MAKE_DIRECTORY ${INTO})

said(perfmodel completion bash)
file(INSTALL ${INTO}/perfmodel DESTINATION ${DATA}/bash-completion/completions)
said(_perfmodel completion zsh)
file(INSTALL ${INTO}/_perfmodel DESTINATION ${DATA}/zsh/vendor-completions)
said(perfmodel.fish completion fish)
file(INSTALL ${INTO}/perfmodel.fish DESTINATION ${DATA}/fish/vendor_completions.d)

said(perfmodel.1 help --man)
install_compressed(perfmodel.1 ${MAN})
execute_process(COMMAND ${PROGRAM} completion --words "" OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\t[^\n]*\n" ";" commands "${commands}")
foreach(command IN LISTS commands)
  if(command)
    said(perfmodel-${command}.1 help --man ${command})
    install_compressed(perfmodel-${command}.1 ${MAN})
  endif()
endforeach()

file(COPY_FILE ${SOURCE}/CHANGELOG.md ${INTO}/changelog)
install_compressed(changelog ${DOC})
