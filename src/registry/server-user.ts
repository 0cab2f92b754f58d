import type { UserInfo } from '../apis/kind-rules.ts';

/** The server itself, as the author of what it writes on nobody's behalf. */
export const serverUser: UserInfo = {
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};
