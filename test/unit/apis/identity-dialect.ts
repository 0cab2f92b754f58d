import type { Dialect } from '../../../src/machinery/dialect.ts';

/** The orch dialect: data and code use its spelling, so every translation is the identity. */
export const identityDialect: Dialect = {
  name: 'orch',
  spell: (text) => text,
  unspell: (text) => text,
  group: (prefix) => `${prefix}.orch.io`,
  label: (name) => (name === '' ? 'orch.io' : `orch.io/${name}`),
};
