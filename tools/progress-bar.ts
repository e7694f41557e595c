const width = 30;
const redrawMs = 100;

/** A bar on a terminal; elsewhere silence, so that logs stay readable. */
export function createProgressBar(stream: NodeJS.WriteStream = process.stderr) {
  let drawnAt = 0;
  return {
    update(done: number, total: number, text: string): void {
      if (!stream.isTTY || (done < total && Date.now() - drawnAt < redrawMs)) return;
      drawnAt = Date.now();
      const share = total > 0 ? Math.min(1, done / total) : 1;
      const filled = Math.round(share * width);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
      stream.write(`\r${bar} ${Math.round(share * 100)} %  ${text}\x1b[K`);
    },
    finish(): void {
      if (stream.isTTY && drawnAt > 0) stream.write('\n');
    },
  };
}
