/** What a worker prints, cut into lines with the task that printed them. */

// A worker puts the task's name before each line it prints through Node, between these two control characters. Lines of
// native code and of child processes come without.
const before = "\u0001";
const after = "\u0002";

export function tagLine(task: string): string {
  return before + task + after;
}

export class OutputLines {
  #rest = "";
  readonly #decoder = new TextDecoder();
  readonly #onLine: (task: string | undefined, text: string) => void;

  constructor(onLine: (task: string | undefined, text: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    this.#rest += this.#decoder.decode(chunk, { stream: true });
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop()!;
    for (const line of lines) this.#line(line);
  }

  end(): void {
    this.#rest += this.#decoder.decode();
    if (this.#rest) this.#line(this.#rest);
    this.#rest = "";
  }

  #line(line: string): void {
    const end = line.startsWith(before) ? line.indexOf(after) : -1;
    const text = line.slice(end + 1).replaceAll(/\u0001[^\u0002]*\u0002/g, "");
    this.#onLine(end > 0 ? line.slice(1, end) : undefined, text);
  }
}
