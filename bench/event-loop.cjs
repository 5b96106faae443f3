// Loaded into a measured server. Asked by a signal, it says how long the event loop was held at most since the last time.
let [worst, worstCpu] = [0, 0];
let [turned, used] = [performance.now(), process.cpuUsage()];

/** One turn of the loop. The kernel's count of processor time leaves out what other programs took meanwhile. */
function turn() {
  const [now, cpu] = [performance.now(), process.cpuUsage(used)];
  worst = Math.max(worst, now - turned);
  worstCpu = Math.max(worstCpu, (cpu.user + cpu.system) / 1000);
  [turned, used] = [now, process.cpuUsage()];
  setTimeout(turn, 1).unref();
}
turn();

process.on('SIGUSR2', () => {
  process.stderr.write(`held: ${worst.toFixed(1)} ${worstCpu.toFixed(1)};`);
  [worst, worstCpu] = [0, 0];
});
