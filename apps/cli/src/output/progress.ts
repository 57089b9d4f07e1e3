/** One line on the terminal that says how far long work is; nothing where there is no terminal. */
const SHOWN_AFTER_MS = 400;
const REDRAWN_AFTER_MS = 100;

export class Progress {
  private drawnAt = performance.now() + SHOWN_AFTER_MS - REDRAWN_AFTER_MS;
  private isDrawn = false;

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {}

  update(text: string): void {
    const now = performance.now();
    if (!this.stream.isTTY || now - this.drawnAt < REDRAWN_AFTER_MS) return;
    this.drawnAt = now;
    this.isDrawn = true;
    this.stream.write(`\r\x1b[K${text.slice(0, this.stream.columns - 1)}`);
  }

  end(): void {
    if (this.isDrawn) this.stream.write('\r\x1b[K');
    this.isDrawn = false;
  }
}
