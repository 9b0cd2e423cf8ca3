"""Tells BenchExec how to run Lazuli on a whole Java program.

Copy this file to benchexec/tools/lazuli.py, or name it by `--tool-directory` and a benchmark definition with tool="lazuli".
The input files of a task are directories of sources; they are compiled before the check.
"""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    def executable(self, tool_locator):
        return tool_locator.find_executable("lazuli-program", subdir="contrib/benchexec")

    def name(self):
        return "Lazuli"

    def version(self, executable):
        return self._version_from_tool(executable)

    def cmdline(self, executable, options, task, rlimits):
        command = [executable]
        if task.property_file:
            command += ["--property-file", task.property_file]
        if rlimits.cputime:
            command += ["--time", str(int(rlimits.cputime)) + "s"]
        if rlimits.memory:
            command += ["--memory", str(rlimits.memory * 4 // 5)]
        return command + options + ["--"] + list(task.input_files)

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        code = run.exit_code.value
        if code == 0:
            return result.RESULT_TRUE_PROP
        if code == 1:
            return result.RESULT_FALSE_PROP
        if code == 3:
            return result.RESULT_UNKNOWN
        return result.RESULT_ERROR
