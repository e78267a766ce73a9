/** Loaded first by ranks whose output ends in a file or a pipe, though they see a terminal: no colours, no moving lines. */
Object.defineProperty(process.stdout, "isTTY", { value: false, configurable: true });
