import { Progress, Text } from '@mantine/core';
import { knowledge as text } from '../../strings/knowledge.ts';
import { LinkAnchor } from '../../ui/page/link.tsx';
import classes from './upload.module.css';
import { isActive, useUploads } from './uploads.ts';

/** Progress of the uploads, shown on every page. */
export function UploadIndicator() {
  const list = useUploads();
  const active = list.filter(isActive);
  const failed = list.length - active.length;
  if (list.length === 0) return null;
  const sent = active.reduce((bytes, { file, progress }) => bytes + progress * file.size, 0);
  const all = active.reduce((bytes, { file }) => bytes + file.size, 0);
  return (
    <div className={classes.underWay} role="status">
      {active.length > 0 && (
        <>
          <LinkAnchor to="/knowledge" size="xs">
            {text.underWay(active.length)}
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
