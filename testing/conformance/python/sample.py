"""Runs the sample with the port of the test, over TLS, because this SDK version requires TLS."""
import runpy

import support  # noqa: F401 sets the port

runpy.run_path("../../../samples/python/first_message.py", run_name="__main__")
