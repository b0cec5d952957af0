/** Column titles in Chinese. */
import type { TitleList } from './title-list.ts';

export const chinese: TitleList = {
  decimal: '.',
  totals: '合计, 总计, 小计, 总数, 合計, 總計',
  number:
    '料号, 物料编码, 物料编号, 物料代码, 物料号, 零件号, 零件编号, 部件号, 图号, 编码, 代号, 产品编号, 存货编码, 子件编码, 料號, 物料編號, 品號, 圖號',
  mpn: '制造商料号, 制造商型号, 制造商零件编号, 厂家型号, 型号, 商品编号, 製造商料號',
  weakNumber: '物料, 零件, 元件, 组件',
  parent: '父项, 父件, 母件, 父件编码, 母件编码, 父级, 所属组件, 上级, 上级物料, 父料号, 装配体',
  parentName: '父项名称, 父件名称, 母件名称',
  level: '层级, 层次, 阶层, 阶次, 级别, 階層, 层',
  item: '序号, 项目号, 行号, 编号, 项次, 序號, 項次',
  quantity: '数量, 用量, 单位用量, 个数, 数目, 數量, 用量',
  references: '位号, 位置号, 元件位号, 标号, 位號',
  name: '名称, 物料名称, 零件名称, 品名, 描述, 说明, 物料描述, 名稱, 子件名称',
  category: '类别, 分类',
  unit: '单位, 计量单位, 單位',
  note: '备注, 注释, 附注, 備註',
  notFitted: '不贴, 不贴装, 不焊, 不安装, 空贴, 不装',
  fitted: '贴装, 是否贴装, 安装, 是否安装, 焊接',
  value: '值, 参数, 规格值, 阻值容值, 标称值',
  footprint: '封装, 封裝',
  standard: '标准, 标准号, 国标',
  size: '规格, 尺寸, 规格型号, 长度, 規格',
  material: '材料, 材质, 表面处理, 颜色',
  manufacturer: '制造商, 厂商, 品牌, 厂家, 生产厂家',
  revision: '版本, 版次, 配置',
};
