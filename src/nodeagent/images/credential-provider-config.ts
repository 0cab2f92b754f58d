import { asJsonObject, asList } from '../../base/index.ts';
import { parseYaml } from '../../machinery/codec/index.ts';
import { parseDurationMs } from '../../machinery/go-values/index.ts';

/** A program that knows credentials for some images. */
export interface CredentialProvider {
  /** Of the program in the folder of providers. */
  readonly name: string;
  /** Registries, with patterns in their hosts, and the first part of paths. */
  readonly matchImages: readonly string[];
  /** Cache duration for answers that do not name one. */
  readonly defaultCacheMs: number;
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The providers of a file that has passed the checks of the options.
 *
 * @throws BodySyntaxError, DurationError for one that has not
 */
export function readCredentialProviders(bytes: Buffer): CredentialProvider[] {
  return asList(asJsonObject(parseYaml(bytes)).providers).map((item) => {
    const { name, matchImages, defaultCacheDuration, args, env } = asJsonObject(item);
    return {
      name: String(name ?? ''),
      matchImages: asList(matchImages).map(String),
      defaultCacheMs: durationMs(defaultCacheDuration),
      parameters: asList(args).map(String),
      environment: Object.fromEntries(
        asList(env)
          .map(asJsonObject)
          .map((variable) => [String(variable.name ?? ''), String(variable.value ?? '')]),
      ),
    };
  });
}

/** Milliseconds of duration text. @throws DurationError */
export const durationMs = (text: unknown): number => parseDurationMs(String(text ?? '0'));
