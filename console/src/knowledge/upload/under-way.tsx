import { Progress, Text } from '@mantine/core';
import { knowledge as text } from '../../strings/knowledge.ts';
import { LinkAnchor } from '../../ui/link.tsx';
import classes from './upload.module.css';
import { isUnderWay, useUploads } from './uploads.ts';

/** What is on its way, or failed, for whoever looks at another page by now. */
export function UnderWay() {
  const list = useUploads();
  const going = list.filter(isUnderWay);
  const failed = list.length - going.length;
  if (list.length === 0) return null;
  const sent = going.reduce((bytes, { file, sent }) => bytes + sent * file.size, 0);
  const all = going.reduce((bytes, { file }) => bytes + file.size, 0);
  return (
    <div className={classes.underWay} role="status">
      {going.length > 0 && (
        <>
          <LinkAnchor to="/knowledge" size="xs">
            {text.underWay(going.length)}
          </LinkAnchor>
          <Progress value={(100 * sent) / all} size="xs" mt={4} aria-label={text.uploads} />
        </>
      )}
      {failed > 0 && (
        <Text size="xs" component="div">
          <LinkAnchor to="/knowledge" inherit c="var(--mantine-color-error)">
            {text.failedUploads(failed)}
          </LinkAnchor>
        </Text>
      )}
    </div>
  );
}
