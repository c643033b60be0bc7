import { command } from '../command.ts';
import { deleteLogin } from '../login/saved-login.ts';
import { print } from '../terminal.ts';

export const logout = command({
  summary: 'Delete the saved login',
  args: '',
  count: [0, 0],
  details: 'A saved API key stays valid: revoke it in the console.',
  options: {},
  async run() {
    deleteLogin();
    print('Logged out');
  },
});
