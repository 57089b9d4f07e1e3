interface Reason {
  readonly text: string;
}

function failing({ text }: Reason): never {
  throw new TypeError(text);
}

try {
  failing({ text: 'of a test' });
} catch (error) {
  process.stdout.write(String((error as Error).stack));
}
