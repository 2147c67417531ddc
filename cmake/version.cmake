# SPDX-License-Identifier: MIT
# cmake -D SOURCE=… -D OUTPUT=… -D VERSION=… -D COMPILER=… -P version.cmake: writes OUTPUT if its content changes.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude=*
  OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR COMMIT STREQUAL "")
  set(COMMIT unknown)
endif()
configure_file(${SOURCE}/pipeline/version.cpp.in ${OUTPUT} @ONLY)
