import http from 'node:http';
import type { Plugin } from 'rolldown';

const plainId = 'plain:http';

/**
 * `node:http` with its plain exports only. Of a module of the runtime that is imported as such, all exports are read at once;
 * some of these make the runtime load its client of the web, which takes megabytes that no program here needs.
 */
export const plainHttp: Plugin = {
  name: 'plain http',
  resolveId: { filter: { id: /^node:http$/ }, handler: () => plainId },
  load: {
    filter: { id: /^plain:http$/ },
    handler() {
      const exported = Object.entries(Object.getOwnPropertyDescriptors(http));
      const plain = exported.filter(([, { get }]) => get === undefined).map(([name]) => name);
      return {
        code: `export const { ${plain.join(', ')} } = process.getBuiltinModule('node:http');`,
        moduleType: 'js',
      };
    },
  },
};
