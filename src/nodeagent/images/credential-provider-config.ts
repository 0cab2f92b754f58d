import { parseYaml } from '../../machinery/codec/index.ts';
import { parseDurationMs } from '../../machinery/values/index.ts';

/** A program that knows credentials for some images. */
export interface CredentialProvider {
  /** Of the program in the folder of providers. */
  readonly name: string;
  /** Registries, with patterns in their hosts, and the first part of paths. */
  readonly matchImages: readonly string[];
  /** How long an answer counts that does not say so itself. */
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
  return listOf(fieldsOf(parseYaml(bytes)).providers).map((item) => {
    const { name, matchImages, defaultCacheDuration, args, env } = fieldsOf(item);
    return {
      name: String(name ?? ''),
      matchImages: listOf(matchImages).map(String),
      defaultCacheMs: durationMs(defaultCacheDuration),
      parameters: listOf(args).map(String),
      environment: Object.fromEntries(
        listOf(env)
          .map(fieldsOf)
          .map((variable) => [String(variable.name ?? ''), String(variable.value ?? '')]),
      ),
    };
  });
}

/** Milliseconds of duration text. @throws DurationError */
export const durationMs = (text: unknown): number => parseDurationMs(String(text ?? '0'));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** None for what is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  // An object that is no list can be read by any key.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
