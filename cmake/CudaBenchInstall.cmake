# `cmake --install` writes the package that find_package(cudabench) finds: harness, compile launcher, recorder and recording
# runtime, tasks with their references, generator and report. Where a dependency was fetched there is nothing to install:
# the package would need targets that no package provides.
include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(_cudabench_fetched)
    list(JOIN _cudabench_fetched ", " _cudabench_fetched)
    message(STATUS "CUDABench will not be installed: ${_cudabench_fetched} was fetched, not found as a package")
    return()
endif()

set(_cudabench_package "${CMAKE_INSTALL_LIBDIR}/cmake/cudabench")
set(_cudabench_data "${CMAKE_INSTALL_DATADIR}/cudabench")

# Recorder and runtime find each other wherever the installation is moved to.
file(RELATIVE_PATH _cudabench_bin_to_lib "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set_target_properties(cudabench_recorder_process PROPERTIES EXPORT_NAME recorder_process)
if(NOT _cudabench_bin_to_lib STREQUAL "../lib")
    set_property(TARGET cudabench_recorder_process APPEND PROPERTY INSTALL_RPATH "$ORIGIN/${_cudabench_bin_to_lib}")
endif()
set_target_properties(cudabench-compile PROPERTIES EXPORT_NAME compile)
set_target_properties(cudabench_runtime PROPERTIES EXPORT_NAME runtime)

get_property(_cudabench_libraries GLOBAL PROPERTY CUDABENCH_INSTALLED_TARGETS)
install(TARGETS ${_cudabench_libraries} cudabench_runtime cudabench_recorder_process cudabench-compile EXPORT cudabenchTargets)
install(EXPORT cudabenchTargets NAMESPACE cudabench:: DESTINATION "${_cudabench_package}")
# All that generated programs include; it includes the standard library only.
install(FILES harness/case/case.h harness/case/task.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/cudabench/case")

install(DIRECTORY tasks references DESTINATION "${_cudabench_data}")
install(DIRECTORY tools/generator tools/report DESTINATION "${_cudabench_data}/tools"
        FILES_MATCHING PATTERN "*.py" PATTERN "*.j2" PATTERN "*.h" PATTERN "*.json" PATTERN __pycache__ EXCLUDE)

file(RELATIVE_PATH _cudabench_bin_to_tools "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/cudabench/tools")
configure_file("${PROJECT_SOURCE_DIR}/cmake/cudabench-report.in" "${PROJECT_BINARY_DIR}/cudabench-report" @ONLY)
install(PROGRAMS "${PROJECT_BINARY_DIR}/cudabench-report" DESTINATION "${CMAKE_INSTALL_BINDIR}")

set(_cudabench_modules AddCandidates AddTasks Architecture CandidateTargets Places Python Toolkit)
list(TRANSFORM _cudabench_modules REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/cmake/CudaBench\\1.cmake")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/cudabenchConfig.cmake.in" "${PROJECT_BINARY_DIR}/cudabenchConfig.cmake"
                              INSTALL_DESTINATION "${_cudabench_package}" PATH_VARS CMAKE_INSTALL_BINDIR _cudabench_data)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cudabenchConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES ${_cudabench_modules} "${PROJECT_BINARY_DIR}/cudabenchConfig.cmake" "${PROJECT_BINARY_DIR}/cudabenchConfigVersion.cmake"
        DESTINATION "${_cudabench_package}")
