/** Column titles in Portuguese. */
import type { TitleList } from './title-list.ts';

export const portuguese: TitleList = {
  decimal: ',',
  totals: 'total, totais, soma, subtotal',
  number:
    'número da peça, nº da peça, número de peça, nº peça, código, código da peça, código do item, código do artigo, código do produto, número do desenho',
  mpn: 'referência do fabricante, código do fabricante, part number do fabricante',
  weakNumber: 'referência, artigo, componente, peça',
  parent: 'conjunto, montagem, pai, item pai, usado em',
  parentName: 'descrição do conjunto, descrição do pai',
  level: 'nível',
  item: 'posição, linha, nº',
  quantity: 'quantidade, qtd, qtde, quant',
  references: 'designador, designadores, referências',
  name: 'descrição, denominação, nome, designação, título',
  category: 'categoria, família',
  unit: 'unidade, unidade de medida, un, und',
  note: 'nota, notas, observação, observações, comentário, comentários',
  notFitted: 'não montar, não montado, não popular, não colocar',
  fitted: 'montar, montado, popular, populado',
  value: 'valor',
  footprint: 'encapsulamento, invólucro',
  standard: 'norma',
  size: 'dimensões, dimensão, tamanho, comprimento, medida, medidas, diâmetro, espessura',
  material: 'material, acabamento, cor',
  manufacturer: 'fabricante, marca',
  revision: 'revisão, versão, variante, configuração',
};
