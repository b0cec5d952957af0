/** Column titles in Spanish. */
import type { TitleList } from './title-list.ts';

export const spanish: TitleList = {
  decimal: ',',
  totals: 'total, totales, suma, subtotal',
  number:
    'número de pieza, núm de pieza, nº de pieza, nº pieza, número de parte, nº de parte, número pieza, código, código de pieza, código de artículo, número de artículo, nº plano, número de plano',
  mpn: 'referencia fabricante, referencia del fabricante, número de pieza del fabricante, código fabricante',
  weakNumber: 'referencia, artículo, componente, pieza',
  parent: 'conjunto, ensamblaje, padre, subconjunto, usado en',
  parentLocation: 'ubicación padre, ubicación superior, situado en',
  parentName: 'descripción conjunto, nombre del conjunto',
  level: 'nivel',
  item: 'posición, pos, elemento, marca, línea, nº',
  quantity: 'cantidad, cant, cdad, unidades',
  references: 'designador, designadores, referencias',
  name: 'descripción, denominación, nombre, designación, título',
  category: 'categoría, familia, tipo de pieza',
  unit: 'unidad, unidad de medida, ud, udm',
  note: 'nota, notas, observación, observaciones, comentario, comentarios',
  notFitted: 'no montar, no montado, no poblar, no colocar',
  fitted: 'montar, montado, poblado, colocado',
  value: 'valor',
  footprint: 'huella, encapsulado',
  standard: 'norma',
  size: 'dimensiones, dimensión, tamaño, longitud, medida, medidas, diámetro, espesor',
  material: 'material, acabado, color',
  manufacturer: 'fabricante, nombre del fabricante, marca',
  revision: 'revisión, versión, variante, configuración',
};
