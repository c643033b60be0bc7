import { Paper } from '@mantine/core';
import { common } from '../../strings/common.ts';
import classes from './code-view.module.css';
import { Copy } from './copy.tsx';

/** Code with a button to copy it. `name` is a file name or a caption. */
export function CodeView({ name, code }: { name: string; code: string }) {
  return (
    <Paper className={classes.view}>
      <div className={classes.head}>
        {name}
        <Copy value={code} label={common.copyThis(name)} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.code} tabIndex={0} aria-label={name}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
    </Paper>
  );
}
