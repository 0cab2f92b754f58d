import type { UserInfo } from '../apis/kind-rules.ts';
import type { Dialect } from '../machinery/dialect.ts';

/** The server's own user, for writes that no client has asked for. */
export const serverUser: UserInfo = {
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** Owner of the fields that the server sets in objects of its own. */
export const serverManager = (dialect: Dialect): string => dialect.spell('orch-apiserver');
