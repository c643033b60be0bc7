import '@mantine/charts/styles.layer.css';
import { BarChart, type BarChartSeries } from '@mantine/charts';

interface Props {
  /** Of each day, what it is called as `day`, and the value of each series by its name. */
  data: Record<string, string | number>[];
  series: BarChartSeries[];
  /** In pixels. */
  height: number;
  format: (value: number) => string;
  /** Given which of the days was pressed, and in it the part of which series. */
  onPick: (day: number, series: string) => void;
}

/** Stacked bars. The only module with the chart library in it. */
export default function Bars({ data, series, height, format, onPick }: Props) {
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
      barProps={({ name }) => ({
        isAnimationActive: false,
        cursor: 'pointer',
        onClick: (_, day) => onPick(day, name),
      })}
      // What it shows is also there as a table, which is better to move about in.
      barChartProps={{ accessibilityLayer: false }}
    />
  );
}
