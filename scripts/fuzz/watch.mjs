import { Worker } from "node:worker_threads";

/**
 * Runs a thread to its end. It writes a number into `at` whenever it begins with something; where that stays the same for too long the thread is
 * ended and `onHang` is told the number. -1 stands for what may take any time.
 * @param {URL} file
 * @param {object} workerData
 * @param {Int32Array<SharedArrayBuffer>} at of one number
 * @param {{ onMessage: (message: any) => void, onHang: (number: number) => void | Promise<void>, longest: (number: number) => number }} listener
 * @returns {Promise<void>}
 */
export function runThread(file, workerData, at, { onMessage, onHang, longest }) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData });
    let last = -1;
    let since = performance.now();
    const watch = setInterval(() => {
      const now = Atomics.load(at, 0);
      if (now !== last) {
        last = now;
        since = performance.now();
      } else if (now !== -1 && performance.now() - since > longest(now)) {
        clearInterval(watch);
        void worker.terminate().then(async () => resolve(await onHang(now)));
      }
    }, 1_000);
    worker.on("message", onMessage);
    worker.on("error", (error) => {
      clearInterval(watch);
      reject(error);
    });
    worker.on("exit", () => {
      clearInterval(watch);
      resolve();
    });
  });
}
