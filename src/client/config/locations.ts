import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { createDialect, type Dialect } from '../../machinery/dialect.ts';

/** Where a client's configuration may lie. */
export interface ConfigLocations {
  /** Files to merge, first one first. */
  readonly files: readonly string[];
  /** True when the user named one file, which must then exist. */
  readonly isExplicit: boolean;
  /** True when the files come from an environment variable; a new entry then goes to the first that exists. */
  readonly isFromEnvironment: boolean;
  /** True for files of the other dialect's product, which count because there are none of ours. */
  readonly isForeign?: boolean;
}

/** What decides about the files: the flag, the environment and the home folder. */
export interface LocationInputs {
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly dialect: Dialect;
}

/**
 * Finds the configuration files: the flag's file alone, else those of the environment variable, else the file in
 * the home folder. In another dialect that product's variable and file count too, after this one's.
 */
export function locateClientConfig({ flag, env, home, dialect }: LocationInputs): ConfigLocations {
  if (flag !== undefined && flag !== '') return { files: [flag], isExplicit: true, isFromEnvironment: false };
  const fromEnv = inBothSpellings('ORCHCONFIG', dialect).flatMap((name) =>
    (env[name] ?? '').split(delimiter).filter((file) => file !== ''),
  );
  if (fromEnv.length > 0) return { files: [...new Set(fromEnv)], isExplicit: false, isFromEnvironment: true };
  const files = inBothSpellings('~/.orch/config', dialect).map((file) => file.replace('~', () => home));
  return { files, isExplicit: false, isFromEnvironment: false };
}

/**
 * Finds the configuration files for whoever has not said in which dialect: those of this product, else those of the
 * other one.
 */
export function locateAnyClientConfig(inputs: Omit<LocationInputs, 'dialect'>): ConfigLocations {
  const own = locateClientConfig({ ...inputs, dialect: createDialect('orch') });
  if (own.isExplicit || own.isFromEnvironment || own.files.some((file) => existsSync(file))) return own;
  const others = locateClientConfig({ ...inputs, dialect: createDialect('kubernetes') });
  const isThere = others.isFromEnvironment || others.files.some((file) => existsSync(file));
  return isThere ? { ...others, isForeign: true } : own;
}

function inBothSpellings(name: string, dialect: Dialect): string[] {
  return [...new Set([name, dialect.spell(name)])];
}
