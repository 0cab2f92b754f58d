import type { ManifestDecoder, ManifestDecoderOptions } from './manifest-decoder.ts';

/** Makes a decoder. The types and rules of the API are loaded with it, so an agent without manifests need not. */
export async function loadManifestDecoder(options: ManifestDecoderOptions): Promise<ManifestDecoder> {
  const { createManifestDecoder } = await import('./create-manifest-decoder.ts');
  return createManifestDecoder(options);
}
