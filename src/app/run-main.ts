/** Runs a program and leaves its exit code to the process. What it throws is reported under its title. */
export async function runMain(title: string, run: () => Promise<number> | number): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    const { reportFailure } = await import('./report-error.ts');
    const { text, exitCode } = reportFailure(title, error);
    process.stderr.write(text);
    process.exitCode = exitCode;
  }
}
