import { Fragment, type ReactNode } from 'react';
import classes from './description-list.module.css';

/** Names and values side by side. */
export const DescriptionList = ({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={classes.facts}>
    {items.map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);
