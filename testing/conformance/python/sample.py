"""Runs the sample at the port of the test, over TLS: this version of the SDK knows nothing else."""
import runpy

import support  # noqa: F401 sets the port

runpy.run_path("../../../samples/python/first_message.py", run_name="__main__")
