import type { UserInfo } from '../apis/index.ts';

/** The server itself, as the author of its own objects. */
export const serverUser: UserInfo = {
  name: 'system:apiserver',
  uid: '',
  groups: ['system:masters'],
  extra: {},
};
