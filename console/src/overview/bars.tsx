import '@mantine/charts/styles.css';
import { BarChart, type BarChartSeries } from '@mantine/charts';

interface Props {
  /** Of each day, what it is called as `day`, and the value of each series by its name. */
  data: Record<string, string | number>[];
  series: BarChartSeries[];
  /** In pixels. */
  height: number;
  format: (value: number) => string;
  /** Given which of the days was pressed. */
  onDay: (index: number) => void;
}

/** Stacked bars. The only module with the chart library in it. */
export default function Bars({ data, series, height, format, onDay }: Props) {
  return (
    <BarChart
      h={height}
      data={data}
      dataKey="day"
      series={series}
      type="stacked"
      withLegend={series.length > 1}
      valueFormatter={format}
      maxBarWidth={32}
      tickLine="none"
      yAxisProps={{ allowDecimals: false }}
      barProps={{ isAnimationActive: false, cursor: 'pointer' }}
      // What it shows is also there as a table, which is better to move about in.
      barChartProps={{
        accessibilityLayer: false,
        onClick: ({ activeTooltipIndex }) => activeTooltipIndex != null && onDay(Number(activeTooltipIndex)),
      }}
    />
  );
}
