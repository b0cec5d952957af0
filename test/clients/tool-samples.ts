/** A small list as each tool writes it, and the links that are in it. A new tool is a profile and an entry here. */

export interface ToolSample {
  tool: string;
  text: string;
  /** With a root B; each `parent > number: quantity`. */
  links: readonly string[];
}

const lines = (...rows: readonly string[]) => `${rows.join('\n')}\n`;

export const toolSamples: readonly ToolSample[] = [
  {
    tool: 'KiCad',
    text: lines(
      '"Reference","Value","Datasheet","Footprint","Qty","DNP"',
      '"C1,C2","100n","~","C_0603","2",""',
      '"R1","1k","~","R_0603","1","DNP"',
      '"R2-R4","10k","~","R_0603","3",""',
    ),
    links: ['B > 100n C_0603: 2', 'B > 10k R_0603: 3'],
  },
  {
    tool: 'KiCad',
    text: lines(
      '"Id";"Designator";"Footprint";"Quantity";"Designation";"Supplier and ref"',
      '1;"C1,C2";"C_0603";2;"100n";',
      '2;"J1";"PinHeader_1x04";1;"Conn_01x04";',
    ),
    links: ['B > 100n C_0603: 2', 'B > Conn_01x04 PinHeader_1x04: 1'],
  },
  {
    tool: 'KiBoM',
    text: lines(
      'Component,Description,Part,References,Value,Footprint,Quantity Per PCB,Datasheet',
      '1,Capacitor,C,C1 C2,100nF,C_0805,2,~',
      '2,Resistor,R,R9,1k,R_0805,1 (DNF),~',
    ),
    links: ['B > 100nF C_0805: 2'],
  },
  {
    tool: 'JLCPCB',
    text: lines(
      'Comment,Designator,Footprint,JLCPCB Part #',
      '100nF,"C1,C2",C_0603,C14663',
      '10k,R1,R_0603,C25804',
    ),
    links: ['B > C14663: 2', 'B > C25804: 1'],
  },
  {
    tool: 'EasyEDA',
    text: lines(
      'ID,Name,Designator,Footprint,Quantity,Manufacturer Part,Manufacturer,Supplier,Supplier Part',
      '1,100nF,"C1,C2",C0603,2,CC0603KRX7R9BB104,YAGEO,LCSC,C14663',
      '2,10k,R1,R0603,1,0603WAF1002T5E,UNI-ROYAL,LCSC,C25804',
    ),
    links: ['B > 0603WAF1002T5E: 1', 'B > CC0603KRX7R9BB104: 2'],
  },
  {
    tool: 'Altium Designer',
    text: lines(
      '"Comment","Description","Designator","Footprint","LibRef","Quantity"',
      '"100nF","Capacitor","C1, C2","C0603","CAP","2"',
      '"10k","Resistor","R1","R0603","RES","1"',
    ),
    links: ['B > 100nF C0603: 2', 'B > 10k R0603: 1'],
  },
  {
    tool: 'Eagle',
    text: lines(
      'Qty;Value;Device;Package;Parts;Description',
      '2;100n;C-EUC0603;C0603;C1, C2;CAPACITOR',
      '1;10k;R-EU_R0603;R0603;R1;RESISTOR',
    ),
    links: ['B > 100n C0603: 2', 'B > 10k R0603: 1'],
  },
  {
    tool: 'SOLIDWORKS',
    text: lines(
      'ITEM NO.\tPART NUMBER\tDESCRIPTION\tQTY.',
      '1\tSUB-1\tArm\t2',
      '1.1\tP-1\tTube\t3',
      '2\tP-2\tScrew\t8',
    ),
    links: ['B > P-2: 8', 'B > SUB-1: 2', 'SUB-1 > P-1: 3'],
  },
  {
    tool: 'Inventor',
    text: lines(
      'Item\tPart Number\tBOM Structure\tUnit QTY\tQTY\tDescription',
      '1\tIV-1\tNormal\tEach\t1\tFrame',
      '2\tIV-3\tPurchased\t1250.000 mm\t3750.000 mm\tProfile',
      '3\tIV-5\tReference\tEach\t1\tFixture',
    ),
    links: ['B > IV-1: 1', 'B > IV-3: 3750'],
  },
  {
    tool: 'Solid Edge',
    text: lines(
      'Item Number,Document Number,Title,Material,Quantity',
      '1,SE-10,Base,Steel,1',
      '2,SE-11,Cover,Steel,2',
    ),
    links: ['B > SE-10: 1', 'B > SE-11: 2'],
  },
  {
    tool: 'Fusion',
    text: lines(
      '"Part Name","Instances","Part Number","Description","Material"',
      '"Base v3","1","","","Steel"',
      '"Arm v12 (1)","2","","","Aluminum"',
    ),
    links: ['B > Arm: 2', 'B > Base: 1'],
  },
  {
    tool: 'Onshape',
    text: lines(
      'Item,Quantity,Part number,Description,Name,Revision,State',
      '1,1,ON-1,,Frame,A,Released',
      '2,4,,,Screw M4,,In progress',
    ),
    links: ['B > ON-1: 1', 'B > Screw M4: 4'],
  },
  {
    tool: 'FreeCAD',
    text: lines('Number,Name,File Name,Quantity', '1,Base,base.FCStd,1', '2,Arm,arm.FCStd,2'),
    links: ['B > Arm: 2', 'B > Base: 1'],
  },
  {
    tool: 'Teamcenter',
    text: lines(
      'BOM Line,Item ID,Item Rev Status,Quantity,Find No.',
      '"000100/A;1-Top",000100,Released,1,',
      '"  000101/A;1-Sub",000101,Released,2,10',
      '"    000102/B;1-Leaf",000102,Released,3,10',
      '"  000103/A;1-Cover",000103,Released,1,20',
    ),
    links: ['000100 > 000101: 2', '000100 > 000103: 1', '000101 > 000102: 3', 'B > 000100: 1'],
  },
  {
    tool: 'Odoo',
    text: lines(
      '"Product","Reference","Quantity","BoM Lines/Component","BoM Lines/Quantity","BoM Lines/Product Unit of Measure"',
      '"[T-1] Table","BOM1","1","[L-1] Leg","4","Units"',
      '"","","","[P-1] Plate","1","Units"',
    ),
    links: ['[T-1] Table > [L-1] Leg: 4', '[T-1] Table > [P-1] Plate: 1'],
  },
  {
    tool: 'ERPNext',
    text: lines(
      'ID,Item,Quantity,Item Code (Items),Item Name (Items),Qty (Items),Stock UOM (Items)',
      'BOM-T-1-001,T-1,1,L-1,Leg,4,Nos',
      ',,,P-1,Plate,1,Nos',
    ),
    links: ['T-1 > L-1: 4', 'T-1 > P-1: 1'],
  },
  {
    tool: 'InvenTree',
    text: lines(
      'BOM Level,Part ID,Part IPN,Part Name,Description,Quantity,Reference',
      '1,11,SUB-1,Arm,,2,',
      '2,12,P-1,Tube,,3,',
      '1,13,P-2,Screw,,8,',
    ),
    links: ['B > P-2: 8', 'B > SUB-1: 2', 'SUB-1 > P-1: 3'],
  },
  {
    tool: 'Part-DB',
    text: lines('Id;Name;Quantity;Mountnames', '1;100nF 0603;2;C1, C2', '2;10k 0603;1;R1'),
    links: ['B > 100nF 0603: 2', 'B > 10k 0603: 1'],
  },
];
