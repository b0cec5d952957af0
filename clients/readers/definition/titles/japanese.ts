/** Column titles in Japanese. */
import type { TitleList } from './title-list.ts';

export const japanese: TitleList = {
  decimal: '.',
  totals: '合計, 総計, 小計',
  number:
    '部品番号, 品番, 図番, 部品コード, 品目コード, 品目番号, 図面番号, コード, 部番, 子品番, 子部品番号',
  mpn: 'メーカー型番, メーカー品番, 型番, 型式, メーカー部品番号',
  weakNumber: '部品, 品目, 構成品',
  parent: '親品番, 親部品, 親部品番号, 親, 親品目, 組立品, アセンブリ, 使用先',
  parentName: '親品名, 親部品名',
  level: 'レベル, 階層, 段階, 構成レベル',
  item: '項番, 番号, 行, no, 照番, 順番, 品番no',
  quantity: '数量, 個数, 員数, 員數, 使用数, 構成数',
  references: '回路記号, 部品記号, リファレンス, 部品位置, 記号',
  name: '品名, 名称, 部品名, 部品名称, 品目名, 説明',
  category: '分類, カテゴリ, 区分',
  unit: '単位',
  note: '備考, 注記, 摘要, コメント',
  notFitted: '未実装, 非実装, 実装しない, 不実装',
  fitted: '実装, 実装有無',
  value: '値, 定数',
  footprint: 'パッケージ, フットプリント',
  standard: '規格, 標準',
  size: '寸法, サイズ, 長さ, 仕様',
  material: '材質, 材料, 表面処理, 色',
  manufacturer: 'メーカー, メーカー名, 製造元',
  revision: '改訂, 版数, バージョン, リビジョン, 仕様',
};
