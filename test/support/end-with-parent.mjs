// For `node --import`, in programs that tests start: endWithParent of src/testing.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
}, 1_000).unref();
