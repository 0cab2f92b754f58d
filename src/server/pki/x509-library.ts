/** The certificate library, loaded on first use: it takes about 70 ms and a start with existing certificates never needs it. */
export async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  await import('reflect-metadata'); // the library's decorators read metadata through it while they load
  return await import('@peculiar/x509');
}
