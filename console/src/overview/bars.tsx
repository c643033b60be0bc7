import '@mantine/charts/styles.layer.css';
import { BarChart, type BarChartSeries } from '@mantine/charts';

interface Props {
  /** Label of each day as `day`, and the value of each series by its name. */
  data: Record<string, string | number>[];
  series: BarChartSeries[];
  /** Height in pixels. */
  height: number;
  format: (value: number) => string;
  /** Called with the index of the clicked day and the name of the series. */
  onPick: (day: number, series: string) => void;
  /** True if the series of a day add up. */
  isStacked: boolean;
}

/** Bar chart. The only module that imports the chart library. */
export default function Bars({ data, series, height, format, onPick, isStacked }: Props) {
  return (
    <BarChart
      h={height}
      data={data}
      dataKey="day"
      series={series}
      type={isStacked ? 'stacked' : 'default'}
      withLegend={series.length > 1}
      valueFormatter={format}
      maxBarWidth={32}
      tickLine="none"
      yAxisProps={{ allowDecimals: false }}
      barProps={({ name }) => ({
        isAnimationActive: false,
        cursor: 'pointer',
        onClick: (_, day) => onPick(day, name),
      })}
      // The same data is available as a table, which is easier to navigate.
      barChartProps={{ accessibilityLayer: false }}
    />
  );
}
