/** The machine as the API's programs name it: `linux/amd64`. */
export function platformName(): string {
  return `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`;
}
