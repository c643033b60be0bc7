import { Paper } from '@mantine/core';
import { common } from '../strings/common.ts';
import classes from './code-view.module.css';
import { Copy } from './copy.tsx';

/** Code to look at and to copy. `name`: a file's name, or what it is for. */
export function CodeView({ name, code }: { name: string; code: string }) {
  return (
    <Paper className={classes.view}>
      <div className={classes.head}>
        {name}
        <Copy value={code} label={common.copyThis(name)} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className={classes.code} tabIndex={0} aria-label={name}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
    </Paper>
  );
}
